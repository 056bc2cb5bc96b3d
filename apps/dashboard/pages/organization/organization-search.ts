import { choiceIn, textIn } from '../../search.ts'

export const organizationViews = ['members', 'invitations', 'settings'] as const
const actions = ['new', 'invite', 'service', 'role', 'remove', 'leave', 'close'] as const

export interface OrganizationView {
  show?: (typeof organizationViews)[number]
  /** The open action, and the member it is about. */
  action?: (typeof actions)[number]
  member?: string
  cursor?: string
}

/** The view of the organization's page, as its address has it. */
export function organizationSearch(search: Record<string, unknown>): OrganizationView {
  return {
    show: choiceIn(search, 'show', organizationViews),
    action: choiceIn(search, 'action', actions),
    member: textIn(search, 'member'),
    cursor: textIn(search, 'cursor'),
  }
}
