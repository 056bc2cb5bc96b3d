import { choiceIn, textIn } from '../../search.ts'

export const organizationViews = ['members', 'invitations', 'settings'] as const
const actions = ['new', 'invite', 'service', 'role', 'remove', 'leave', 'close'] as const

export interface OrganizationView {
  show?: (typeof organizationViews)[number]
  /** What is being done, and to which member. */
  action?: (typeof actions)[number]
  member?: string
  cursor?: string
}

/** The view of the organization's page, as it stands in its address. */
export function organizationSearch(search: Record<string, unknown>): OrganizationView {
  const show = choiceIn(search, 'show', organizationViews)
  const action = choiceIn(search, 'action', actions)
  const member = textIn(search, 'member')
  const cursor = textIn(search, 'cursor')
  return {
    ...(show && { show }),
    ...(action && { action }),
    ...(member && { member }),
    ...(cursor && { cursor }),
  }
}
