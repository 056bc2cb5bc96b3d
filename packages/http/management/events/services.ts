import type { InvitationWords } from '@turnpike/notify'

/** What events need beyond their stores. */
export interface NotificationServices {
  /** @throws {Error} a webhook at this address would not be called; the message says why */
  checkUrl(url: string): Promise<void>
  /** A secret as it is kept. */
  sealSecret(secret: string, of: { id: string; accountId: string | null }): string
  /** @throws {GatewayError} 429 where the account, or this address, was behind too many such mails */
  mayAsk(accountId: string | null, email: string, nowMs: number): void
  /**
   * Counts a mail to an address that may be a stranger's, by the internet address of who wants it.
   * @throws {GatewayError} 429 where there were too many from there
   */
  mayMailFrom(address: string): void
  /**
   * Asks an address whether it wants to be told, by a link to this path. Absent: no mail is sent from here.
   */
  ask?: (email: string, path: string) => Promise<void>
  /** Mails the link of an invitation. Absent as `ask` is. @returns whether the mail server has taken it */
  invite?: (email: string, invitation: InvitationWords) => Promise<boolean>
}
