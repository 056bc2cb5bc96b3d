import type { MailText } from './mail.ts'
import { withoutLinks } from './names.ts'

export interface InvitationWords {
  organizationName: string
  /** Null: the gateway's operator invites. */
  inviter: { name: string | null; email: string | null } | null
  role: string
  expiresAtMs: number
  /** The page on which the invitation is accepted. */
  url: string
}

/** Strangers choose the names: they are shortened, and no mail program makes links of them. */
export function invitationMail({
  organizationName,
  inviter,
  role,
  expiresAtMs,
  url,
}: InvitationWords): MailText {
  const organization = withoutLinks(organizationName)
  const until = `${new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const host = new URL(url).hostname
  return {
    subject: `Invitation to join "${organization}"`,
    paragraphs: [
      `${inviterOf(inviter)} invites you to join the organization "${organization}" at ${host}, ` +
        `with the role "${role}".`,
      `The link works until ${until}, once, for the person who signs in with this address. Do not forward ` +
        'it: it also proves that this mailbox is yours.',
      'If you were not expecting this, ignore this email. You do not join anything unless you accept, ' +
        'and we send this invitation only once.',
    ],
    link: { text: 'View the invitation', url },
  }
}

function inviterOf(inviter: InvitationWords['inviter']): string {
  if (inviter === null) return 'The operator of this gateway'
  const { name, email } = inviter
  const words = name === null ? '' : `"${withoutLinks(name)}"`
  if (email === null) return words === '' ? 'A member' : words
  return words === '' ? email : `${words} (${email})`
}
