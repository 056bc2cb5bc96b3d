import type { InvitationWords } from '@turnpike/notify'

/** What events need besides their stores. */
export interface NotificationServices {
  /** @throws {Error} if webhooks to this address are not allowed; the message says why */
  checkUrl(url: string): Promise<void>
  /** Seals a secret for storage. */
  sealSecret(secret: string, of: { id: string; accountId: string | null }): string
  /** @throws {GatewayError} 429 if too many such mails came from the account or went to the address */
  mayAsk(accountId: string | null, email: string, nowMs: number): void
  /**
   * Counts a mail to an address that may be a stranger's, by the internet address of the caller.
   * @throws {GatewayError} 429 if there were too many from there
   */
  mayMailFrom(address: string): void
  /** Mails a link to this path, to ask for confirmation. Absent: this gateway sends no mail. */
  ask?: (email: string, path: string) => Promise<void>
  /** Mails an invitation. Absent: no mail is sent. @returns whether the mail server accepted it */
  invite?: (email: string, invitation: InvitationWords) => Promise<boolean>
}
