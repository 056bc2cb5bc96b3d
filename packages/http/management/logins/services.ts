import type { LoginSessionStore, MailedCodes, OwnLogin } from '@turnpike/identity'

/** What people see and change of their own login, where that is the embedded provider's. */
export interface LoginServices {
  sessions: Pick<LoginSessionStore, 'list' | 'end' | 'endOthers'>
  own: Pick<OwnLogin, 'changePassword' | 'changeEmail' | 'mayChangeEmail'>
  /** Absent: no mail is sent from here. */
  mailed?: Pick<MailedCodes, 'askToVerify' | 'prove' | 'pendingEmail' | 'setPassword'> | undefined
}
