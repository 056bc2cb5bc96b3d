import { choiceIn } from '../../search.ts'

export const settingsViews = ['profile', 'sessions', 'vendor-keys', 'billing', 'data'] as const
export type SettingsView = (typeof settingsViews)[number]

/** The view of the settings: which part, and which dialog is open. */
export function settingsSearch(search: Record<string, unknown>): {
  show?: SettingsView
  action?: 'email' | 'password' | 'end-others' | 'close'
} {
  return {
    show: choiceIn(search, 'show', settingsViews),
    action: choiceIn(search, 'action', ['email', 'password', 'end-others', 'close']),
  }
}
