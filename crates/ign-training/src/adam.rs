//! The optimizer.

/// Parameters, and Adam's running means of their gradients and of the squared gradients.
#[derive(Debug)]
pub struct Adam {
    /// The parameters.
    pub values: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl Adam {
    /// An optimizer of parameters with these initial values.
    pub fn new(values: Vec<f32>) -> Self {
        let nothing = vec![0.0; values.len()];
        Self {
            values,
            means: nothing.clone(),
            squares: nothing,
        }
    }

    /// Takes a step with decoupled weight decay. `how` returns the learning rate and the weight
    /// decay of each parameter; the decay is multiplied by the learning rate. Steps count from 1.
    pub fn step(&mut self, step: usize, slopes: &[f32], how: impl Fn(usize) -> (f32, f32)) {
        let debias = (
            1.0 - 0.9f32.powi(step.min(10_000) as i32),
            1.0 - 0.999f32.powi(step.min(100_000) as i32),
        );
        let memories = self.means.iter_mut().zip(&mut self.squares);
        let all = self.values.iter_mut().zip(memories).zip(slopes).enumerate();
        for (i, ((value, (mean, square)), slope)) in all {
            *mean += 0.1 * (slope - *mean);
            *square += 0.001 * (slope * slope - *square);
            let (rate, shrink) = how(i);
            let towards = (*mean / debias.0) / ((*square / debias.1).sqrt() + 1e-8);
            *value -= rate * (towards + shrink * *value);
        }
    }
}

/// Rounds a parameter to the nearest multiple of 1 / `scale` that fits in a signed byte.
pub fn in_steps(value: f32, scale: u16) -> f32 {
    let scale = f32::from(scale);
    (value * scale).round_ties_even().clamp(-127.0, 127.0) / scale
}

/// Converts rounded parameters to signed bytes, the form they have in the format.
pub fn steps(rounded: &[f32], scale: impl Fn(usize) -> u16) -> Vec<u8> {
    let steps = rounded.iter().enumerate();
    let step = |(i, value): (usize, &f32)| (value * f32::from(scale(i))) as i8 as u8;
    steps.map(step).collect()
}
