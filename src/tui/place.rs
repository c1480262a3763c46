//! Where the learner is in the course, and the way forward and back.

use crate::course::{Exercise, Lesson, Pack, Progress};

/// A place in the course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A step of a lesson.
    Lesson {
        /// The lesson.
        id: String,
        /// The step, from 0.
        step: usize,
    },
    /// An exercise.
    Exercise {
        /// The exercise.
        id: String,
    },
}

impl Place {
    /// Where the learner left off, or the first lesson.
    #[must_use]
    pub fn resume(pack: &Pack, progress: &Progress) -> Self {
        let known = Self::named(pack, progress, &progress.at);
        known
            .or_else(|| Some(Self::lesson(pack.lessons.first()?, progress)))
            .unwrap_or(Self::Lesson { id: String::new(), step: 0 })
    }

    /// The place of a lesson or exercise by its id; a lesson is resumed at its step.
    #[must_use]
    pub fn named(pack: &Pack, progress: &Progress, id: &str) -> Option<Self> {
        let lesson = pack.lesson(id).map(|lesson| Self::lesson(lesson, progress));
        lesson.or_else(|| pack.exercise(id).map(|exercise| Self::Exercise { id: exercise.spec.id.clone() }))
    }

    fn lesson(lesson: &Lesson, progress: &Progress) -> Self {
        let last = lesson.en.steps.len().saturating_sub(1);
        let step = progress.lessons.get(&lesson.id).map_or(0, |record| record.step.min(last));
        Self::Lesson { id: lesson.id.clone(), step }
    }

    /// The id of the lesson or exercise.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Lesson { id, .. } | Self::Exercise { id } => id,
        }
    }

    /// The lesson, where it is one.
    #[must_use]
    pub fn as_lesson<'a>(&self, pack: &'a Pack) -> Option<(&'a Lesson, usize)> {
        match self {
            Self::Lesson { id, step } => Some((pack.lesson(id)?, *step)),
            Self::Exercise { .. } => None,
        }
    }

    /// The exercise, where it is one.
    #[must_use]
    pub fn as_exercise<'a>(&self, pack: &'a Pack) -> Option<&'a Exercise> {
        match self {
            Self::Lesson { .. } => None,
            Self::Exercise { id } => pack.exercise(id),
        }
    }

    /// The next step; behind the last one the lesson's exercises, then the next lesson.
    #[must_use]
    pub fn next(&self, pack: &Pack) -> Option<Self> {
        if let Some((lesson, step)) = self.as_lesson(pack)
            && step + 1 < lesson.en.steps.len()
        {
            return Some(Self::Lesson { id: lesson.id.clone(), step: step + 1 });
        }
        let road = road(pack);
        let here = road.iter().position(|place| place.id() == self.id())?;
        road.get(here + 1).cloned()
    }

    /// The step before; before the first one what stands before, a lesson at the step where it was left.
    #[must_use]
    pub fn previous(&self, pack: &Pack, progress: &Progress) -> Option<Self> {
        if let Self::Lesson { id, step } = self
            && *step > 0
        {
            return Some(Self::Lesson { id: id.clone(), step: step - 1 });
        }
        let road = road(pack);
        let here = road.iter().position(|place| place.id() == self.id())?;
        Self::named(pack, progress, road.get(here.checked_sub(1)?)?.id())
    }
}

/// Every lesson followed by the exercises that need nothing further, then the exercises that no lesson prepares.
#[must_use]
pub fn road(pack: &Pack) -> Vec<Place> {
    let place = |exercise: &Exercise| Place::Exercise { id: exercise.spec.id.clone() };
    let behind =
        |at: Option<usize>| pack.exercises.iter().filter(move |exercise| home(pack, exercise) == at).map(place);
    let mut road: Vec<Place> = Vec::new();
    for (at, lesson) in pack.lessons.iter().enumerate() {
        road.push(Place::Lesson { id: lesson.id.clone(), step: 0 });
        road.extend(behind(Some(at)));
    }
    road.extend(behind(None));
    road
}

/// The position of the last lesson that an exercise needs; of the first that names it, where it says of none.
fn home(pack: &Pack, exercise: &Exercise) -> Option<usize> {
    let position = |id: &String| pack.lessons.iter().position(|lesson| lesson.id == *id);
    let naming = || pack.lessons.iter().position(|lesson| lesson.exercises.contains(&exercise.spec.id));
    exercise.spec.lessons.iter().filter_map(position).max().or_else(naming)
}
