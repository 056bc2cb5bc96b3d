import type { LoginSessionStore, OwnLogin } from '@turnpike/identity'

/** What people see and change of their own login, where that is the embedded provider's. */
export interface LoginServices {
  sessions: Pick<LoginSessionStore, 'list' | 'end' | 'endOthers'>
  own: Pick<OwnLogin, 'changePassword' | 'changeEmail' | 'mayChangeEmail'>
}
