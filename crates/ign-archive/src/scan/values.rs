//! Values of fixed width: plain vectors with validity bits, in the memory layout of Apache Arrow.

/// The validity of the values of a column: a bit for each row, the lowest bit of a byte first, set
/// if the value is not null.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validity {
    bytes: Vec<u8>,
    len: usize,
    nulls: usize,
}

impl Validity {
    /// Appends a row.
    pub(super) fn push(&mut self, is_valid: bool) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(is_valid) << (self.len % 8);
        }
        self.len += 1;
        self.nulls += usize::from(!is_valid);
    }

    /// The bits, owned. Those after the last row are 0.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The bits. Those after the last row are 0.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of nulls.
    pub fn nulls(&self) -> usize {
        self.nulls
    }

    /// Whether there is such a row, and its value is not null.
    pub fn is_valid(&self, row: usize) -> bool {
        // The bits after the last row are 0.
        let byte = self.bytes.get(row / 8);
        byte.is_some_and(|byte| byte >> (row % 8) & 1 == 1)
    }
}

/// Values of which some may be null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values<T> {
    values: Vec<T>,
    validity: Validity,
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            validity: Validity::default(),
        }
    }
}

impl<T: Copy> Values<T> {
    /// Appends a value; `null` takes the place of one that is missing.
    pub(super) fn push(&mut self, value: Option<T>, null: T) {
        self.values.push(value.unwrap_or(null));
        self.validity.push(value.is_some());
    }

    /// The values of all rows and which of them are not null.
    pub fn into_parts(self) -> (Vec<T>, Validity) {
        (self.values, self.validity)
    }

    /// The values of all rows. That of a null has no meaning.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Which values are not null.
    pub fn validity(&self) -> &Validity {
        &self.validity
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a row; `None` if it is null, or there are fewer rows.
    pub fn get(&self, row: usize) -> Option<T> {
        self.validity.is_valid(row).then(|| self.values[row])
    }

    /// The values of all rows in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<T>> + '_ {
        (0..self.len()).map(|row| self.get(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validity_has_the_bit_order_of_arrow() {
        let mut values = Values::default();
        for row in 0..11u16 {
            values.push((row % 3 != 0).then_some(row), 0);
        }
        assert_eq!(values.validity().as_bytes(), [0b1011_0110, 0b0000_0101]);
        assert_eq!((values.len(), values.validity().nulls()), (11, 4));
        assert_eq!((values.get(3), values.get(10)), (None, Some(10)));
        assert_eq!(values.values()[9], 0);
    }
}
