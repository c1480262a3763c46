//! Predictions: what a learner expected of a statement before it ran, and how well the confidence fitted.

use serde::{Deserialize, Serialize};

/// How sure a learner was of a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Confidence {
    /// Below two in three.
    Low,
    /// Between two in three and four in five.
    #[default]
    Medium,
    /// Above four in five.
    High,
}

impl Confidence {
    /// All, the lowest first.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The number kept in the progress file, from 1 to 3.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Reads the number; what lies outside counts as the nearest.
    #[must_use]
    pub fn of(number: u8) -> Self {
        Self::ALL[usize::from(number.clamp(1, 3)) - 1]
    }

    /// What a right prediction earns.
    #[must_use]
    pub fn gain(self) -> i32 {
        [1, 2, 3][self as usize]
    }

    /// What a wrong prediction costs.
    #[must_use]
    pub fn loss(self) -> i32 {
        [0, 2, 6][self as usize]
    }

    /// How many of a hundred such predictions should be right, lowest and highest.
    ///
    /// The bounds are where the next level begins to earn more on average; so nobody gains by claiming another confidence
    /// than the true one. This is certainty-based marking (A. R. Gardner-Medwin).
    #[must_use]
    pub fn fits(self) -> (u32, u32) {
        [(0, 67), (67, 80), (80, 100)][self as usize]
    }
}

/// A prediction and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prediction {
    /// The lesson.
    pub lesson: String,
    /// The step, from 0.
    pub step: usize,
    /// What was predicted.
    pub answer: String,
    /// What came.
    pub actual: String,
    /// Whether it was right.
    pub right: bool,
    /// How sure the learner was, from 1 to 3.
    pub confidence: u8,
}

impl Prediction {
    /// What the prediction earned or, below zero, cost.
    #[must_use]
    pub fn score(&self) -> i32 {
        let confidence = Confidence::of(self.confidence);
        if self.right { confidence.gain() } else { -confidence.loss() }
    }
}

/// The predictions of one confidence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Calibration {
    /// How many there are.
    pub made: u32,
    /// How many of them were right.
    pub right: u32,
}

impl Calibration {
    /// The predictions of each confidence, the lowest first.
    #[must_use]
    pub fn of(predictions: &[Prediction]) -> [Self; 3] {
        let mut levels = [Self::default(); 3];
        for prediction in predictions {
            let level = &mut levels[Confidence::of(prediction.confidence) as usize];
            level.made += 1;
            level.right += u32::from(prediction.right);
        }
        levels
    }

    /// The share of right ones in percent, rounded; none where none were made.
    #[must_use]
    pub fn percent(self) -> Option<u32> {
        (self.made > 0).then(|| (self.right * 200 + self.made) / (self.made * 2))
    }
}
