//! Arrays of the columns of a scan.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, DictionaryArray, Int16Array, ListArray, PrimitiveArray,
    StringArray, StructArray,
    types::{Date32Type, Float32Type, Int32Type, Time32MillisecondType, UInt64Type},
};
use arrow_buffer::{
    ArrowNativeType, BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer,
};
use arrow_schema::{ArrowError, DataType, Field};
use ign_archive::{
    Error, Result,
    scan::{ColumnData, Lists, Strings, TextColumn, TextParts, Validity, Values, uci_moves},
};

use crate::{
    columns::{comment_field, item, move_field, tag_field},
    encoding::Encoding,
    error::error_of_arrow,
};

/// The UCI notation of every move, by its code: the dictionary of all arrays of moves.
static MOVES: LazyLock<ArrayRef> = LazyLock::new(|| {
    let moves = uci_moves();
    let offsets = OffsetBuffer::new(ScalarBuffer::from(moves.offsets().to_vec()));
    let text = Buffer::from(moves.text().as_bytes());
    Arc::new(StringArray::new(offsets, text, None))
});

/// The array of a column.
///
/// # Errors
/// Unsupported if the text of a batch exceeds 2 GiB.
pub(crate) fn of(data: ColumnData, encoding: Encoding) -> Result<ArrayRef> {
    Ok(match data {
        ColumnData::Number(numbers) => {
            Arc::new(PrimitiveArray::<UInt64Type>::new(numbers.into(), None))
        }
        ColumnData::Rating(values) => widened(values)?,
        ColumnData::Difference(values) => widened(values)?,
        ColumnData::Days(values) => numbers::<i32, Date32Type>(values)?,
        ColumnData::Plies(values) => numbers::<u32, Int32Type>(values)?,
        ColumnData::Time(values) => {
            let (seconds, validity) = values.into_parts();
            let milliseconds: Vec<i32> = seconds.iter().map(|&s| 1000 * s as i32).collect();
            let nulls = nulls(validity);
            Arc::new(PrimitiveArray::<Time32MillisecondType>::new(
                milliseconds.into(),
                nulls,
            ))
        }
        ColumnData::Text(text) => {
            let dictionary = text_dictionary(text)?;
            if encoding.text {
                dictionary
            } else {
                unpacked(&dictionary)?
            }
        }
        ColumnData::Moves(lists) => moves_lists(lists, encoding)?,
        ColumnData::Decimals(lists) => number_lists::<f32, Float32Type>(lists)?,
        ColumnData::Mates(lists) => number_lists::<i32, Int32Type>(lists)?,
        ColumnData::Comments(lists) => {
            let (offsets, validity, comments) = lists.into_parts();
            let (plies, text) = comments.into_parts();
            let plies = PrimitiveArray::<Int32Type>::new(reinterpreted(plies), None);
            let columns: Vec<ArrayRef> = vec![Arc::new(plies), Arc::new(array_of(text)?)];
            structures(comment_field(), offsets, validity, columns)?
        }
        ColumnData::Tags(lists) => {
            let (offsets, validity, tags) = lists.into_parts();
            let (names, values) = tags.into_parts();
            let columns: Vec<ArrayRef> =
                vec![Arc::new(array_of(names)?), Arc::new(array_of(values)?)];
            structures(tag_field(), offsets, validity, columns)?
        }
        ColumnData::Strings(strings) => Arc::new(array_of(strings)?),
        _ => return Err(Error::internal("a column of a scan has no array")),
    })
}

/// The validity of a column; `None` if no value is null.
fn nulls(validity: Validity) -> Option<NullBuffer> {
    let (len, nulls) = (validity.len(), validity.nulls());
    let bits = || BooleanBuffer::new(Buffer::from_vec(validity.into_bytes()), 0, len);
    (nulls > 0).then(|| NullBuffer::new(bits()))
}

/// Numbers. `T` and the native type of `A` have the same width, and the values fit both.
fn numbers<T: ArrowNativeType, A: ArrowPrimitiveType>(values: Values<T>) -> Result<ArrayRef> {
    let (values, validity) = values.into_parts();
    let values = reinterpreted::<T, A::Native>(values);
    let array = PrimitiveArray::<A>::try_new(values, nulls(validity));
    Ok(Arc::new(array.map_err(error_of_arrow)?))
}

/// Numbers of 16 bits as such of 32 bits: sums and products of ratings exceed 16 bits.
fn widened<T: Copy + Into<i32>>(values: Values<T>) -> Result<ArrayRef> {
    let (values, validity) = values.into_parts();
    let values: Vec<i32> = values.into_iter().map(Into::into).collect();
    let array = PrimitiveArray::<Int32Type>::try_new(values.into(), nulls(validity));
    Ok(Arc::new(array.map_err(error_of_arrow)?))
}

/// The same bytes as numbers of another type of the same width.
fn reinterpreted<T: ArrowNativeType, N: ArrowNativeType>(values: Vec<T>) -> ScalarBuffer<N> {
    let len = values.len();
    ScalarBuffer::new(Buffer::from_vec(values), 0, len)
}

/// Text as a dictionary array. If all values are UTF-8, nothing is copied.
fn text_dictionary(text: TextColumn) -> Result<ArrayRef> {
    let is_utf8 = text.is_utf8();
    let TextParts {
        mut codes,
        validity,
        offsets,
        bytes,
    } = text.into_parts();
    let values = if is_utf8 {
        strings(offsets, bytes)?
    } else {
        // Different bytes may be the same text. A dictionary should have each value once.
        let mut distinct: HashMap<String, u32> = HashMap::new();
        let mut values = Vec::new();
        let mut renumbered = Vec::with_capacity(offsets.len() - 1);
        for range in offsets.windows(2) {
            let value =
                ign_archive::text::decode_text(&bytes[range[0] as usize..range[1] as usize]);
            let code = *distinct
                .entry(value.into_owned())
                .or_insert_with_key(|value| {
                    values.push(value.clone());
                    values.len() as u32 - 1
                });
            renumbered.push(code);
        }
        for code in &mut codes {
            // The code of a null numbers nothing if all values are null.
            *code = renumbered.get(*code as usize).copied().unwrap_or(0);
        }
        StringArray::from(values)
    };
    let keys = PrimitiveArray::<Int32Type>::try_new(reinterpreted(codes), nulls(validity));
    let array = DictionaryArray::try_new(keys.map_err(error_of_arrow)?, Arc::new(values));
    Ok(Arc::new(array.map_err(error_of_arrow)?))
}

/// Strings that follow each other in `bytes`, which are UTF-8.
pub(crate) fn strings(offsets: Vec<i32>, bytes: Vec<u8>) -> Result<StringArray> {
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    StringArray::try_new(offsets, Buffer::from_vec(bytes), None).map_err(error_of_arrow)
}

/// A dictionary array of text as an array of strings.
///
/// # Errors
/// Unsupported if the text exceeds 2 GiB.
fn unpacked(dictionary: &dyn Array) -> Result<ArrayRef> {
    arrow_cast::cast(dictionary, &DataType::Utf8).map_err(|error| match error {
        ArrowError::OffsetOverflowError(_) => {
            Error::unsupported("the text of a batch exceeds 2 GiB")
        }
        other => error_of_arrow(other),
    })
}

/// Moves by their codes.
///
/// # Errors
/// Internal if there is no such code; unsupported if the text exceeds 2 GiB.
pub(crate) fn moves(codes: Int16Array, encoding: Encoding) -> Result<ArrayRef> {
    let moves = DictionaryArray::try_new(codes, MOVES.clone()).map_err(error_of_arrow)?;
    if encoding.moves {
        Ok(Arc::new(moves))
    } else {
        unpacked(&moves)
    }
}

/// Lists of moves.
fn moves_lists(lists: Lists<Vec<u16>>, encoding: Encoding) -> Result<ArrayRef> {
    let (offsets, validity, codes) = lists.into_parts();
    let codes = PrimitiveArray::new(reinterpreted(codes), None);
    let items = moves(codes, encoding)?;
    list(move_field(encoding), offsets, validity, items)
}

/// Lists of numbers.
fn number_lists<T: ArrowNativeType, A: ArrowPrimitiveType>(
    lists: Lists<Values<T>>,
) -> Result<ArrayRef> {
    let (offsets, validity, items) = lists.into_parts();
    list(
        item(A::DATA_TYPE),
        offsets,
        validity,
        numbers::<T, A>(items)?,
    )
}

/// Lists of structures with these columns.
fn structures(
    field: Arc<Field>,
    offsets: Vec<i32>,
    validity: Validity,
    columns: Vec<ArrayRef>,
) -> Result<ArrayRef> {
    let DataType::Struct(fields) = field.data_type().clone() else {
        return Err(Error::internal("a list of structures has other items"));
    };
    let items = StructArray::try_new(fields, columns, None).map_err(error_of_arrow)?;
    list(field, offsets, validity, Arc::new(items))
}

/// Strings as an array.
fn array_of(text: Strings) -> Result<StringArray> {
    let (offsets, text) = text.into_parts();
    strings(offsets, text.into_bytes())
}

/// A list array.
fn list(
    field: Arc<Field>,
    offsets: Vec<i32>,
    validity: Validity,
    items: ArrayRef,
) -> Result<ArrayRef> {
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let array = ListArray::try_new(field, offsets, items, nulls(validity));
    Ok(Arc::new(array.map_err(error_of_arrow)?))
}
