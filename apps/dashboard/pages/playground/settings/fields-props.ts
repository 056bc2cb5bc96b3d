import type { Mistakes, Parameter, Settings } from './settings.ts'

/** The props of each group of settings. */
export interface FieldsProps {
  settings: Settings
  mistakes: Mistakes
  /** Whether at least one of the models supports a parameter. */
  has: (parameter: Parameter) => boolean
  onChange: (changes: Partial<Settings>) => void
}
