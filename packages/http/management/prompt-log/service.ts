import type { PromptLog } from '@turnpike/gateway'

/** The part of the prompt log that the management API needs. */
export type PromptLogService = Pick<
  PromptLog,
  'settings' | 'find' | 'has' | 'page' | 'drop' | 'dropAll' | 'figures'
>
