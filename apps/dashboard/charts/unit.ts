import { axisUsd, shortUsd } from '../format/money.ts'
import { shortNumber } from '../format/number.ts'

/** How values and axis marks are formatted. Marks are round values, so floats are exact enough for them. */
export interface Unit {
  format: (value: bigint) => string
  formatAxis: (value: number) => string
}

/** For values in pico-USD. */
export const inUsd: Unit = { format: shortUsd, formatAxis: (pico) => axisUsd(pico / 1e12) }

export const inNumbers: Unit = { format: (value) => shortNumber(Number(value)), formatAxis: shortNumber }
