import type { PromptLog } from '@turnpike/gateway'

/** What the management API needs of the prompt log. */
export type PromptLogService = Pick<
  PromptLog,
  'settings' | 'find' | 'has' | 'page' | 'drop' | 'dropAll' | 'figures'
>
