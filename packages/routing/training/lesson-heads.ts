import { headCount } from '../scoring/heads.ts'

/**
 * What a strong model is worth on prompts of a subject. Learned beside `worth`, which is then what there is
 * beyond it, and added to it before the weights are written: a subject's mean is nearly certain, a single
 * outcome mostly noise, and the two want to be held near 0 differently.
 */
export const subjectWorth = headCount

/** Heads while learning; the first `headCount` are the scorer's. */
export const lessonCount = headCount + 1
