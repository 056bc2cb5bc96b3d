import { axisUsd, shortUsd } from '../format/money.ts'
import { shortNumber } from '../format/number.ts'

/** How values and the marks of their axis are said. Marks are round values, so floats may hold them. */
export interface Unit {
  format: (value: bigint) => string
  formatAxis: (value: number) => string
}

/** Of pico-USD. */
export const inUsd: Unit = { format: shortUsd, formatAxis: (pico) => axisUsd(pico / 1e12) }

export const inNumbers: Unit = { format: (value) => shortNumber(Number(value)), formatAxis: shortNumber }
