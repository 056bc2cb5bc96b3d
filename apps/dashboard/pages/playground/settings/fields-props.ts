import type { Mistakes, Parameter, Settings } from './settings.ts'

/** What each group of settings is given. */
export interface FieldsProps {
  settings: Settings
  mistakes: Mistakes
  /** Whether one of the models takes a parameter. */
  has: (parameter: Parameter) => boolean
  onChange: (changes: Partial<Settings>) => void
}
