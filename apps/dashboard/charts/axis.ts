import { axisUsd } from '../format/money.ts'
import { shortNumber } from '../format/number.ts'

/** Marks of an axis are round values of the drawing's own choice, so floats may hold them. */
export const axisPico = (pico: number): string => axisUsd(pico / 1e12)

export const axisCount = (count: number): string => shortNumber(count)
