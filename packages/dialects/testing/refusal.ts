import { expect } from 'vitest'

/** A 400 that names this field, to compare an error with. */
export const refusal = (param: string | null): Error =>
  expect.objectContaining({ status: 400, param }) as Error
