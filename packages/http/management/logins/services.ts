import type { LoginSessionStore, MailedCodes, OwnLogin } from '@turnpike/identity'

/** Lets people see and change their own login at the embedded provider. */
export interface LoginServices {
  sessions: Pick<LoginSessionStore, 'list' | 'end' | 'endOthers'>
  own: Pick<OwnLogin, 'changePassword' | 'changeEmail' | 'mayChangeEmail'>
  /** Absent: this gateway sends no mail. */
  mailed?: Pick<MailedCodes, 'askToVerify' | 'prove' | 'pendingEmail' | 'setPassword'> | undefined
}
