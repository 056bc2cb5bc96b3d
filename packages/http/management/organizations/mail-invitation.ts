import {
  canonicalEmail,
  type InvitationMailLimits,
  type OrganizationInvitation,
  type OrganizationStore,
} from '@turnpike/identity'
import { invalidRequest } from '@turnpike/protocol'
import { requireMailable } from '../events/new-target.ts'
import type { NotificationServices } from '../events/services.ts'
import type { ManagementServices } from '../services.ts'

export const mailLimits: InvitationMailLimits = { ofOrganization: 50, ofPerson: 50, toAddress: 3 }

interface WantedMail {
  email?: string
  send_mail?: boolean
}

type Mails = Pick<NotificationServices, 'invite'> | undefined

/**
 * Whether to mail the link; that requires an invitation for one address.
 * @throws {GatewayError} 400 if mail is requested but impossible
 */
export function wantsMail({ email, send_mail: sendMail }: WantedMail, mails: Mails): boolean {
  if (sendMail === false) return false
  const sendsMail = mails?.invite !== undefined
  if (email !== undefined && sendsMail) requireMailable(canonicalEmail(email))
  if (sendMail === undefined) return email !== undefined && sendsMail
  if (email === undefined)
    throw invalidRequest('email', "`email`: expected the recipient's address, since `send_mail` is true.")
  if (!sendsMail)
    throw invalidRequest('send_mail', '`send_mail`: this gateway has no mail server. Send the link yourself.')
  return true
}

interface MailedInvitation {
  organizationName: string
  invitation: OrganizationInvitation
  url: string
}

/** @returns whether the mail server has accepted it; if not, the link still works */
export async function mailInvitation(
  { organizationName, invitation, url }: MailedInvitation,
  {
    organizations,
    notifications,
  }: Pick<ManagementServices, 'notifications'> & {
    organizations: Pick<OrganizationStore, 'member'>
  },
): Promise<boolean> {
  const { organizationId, createdBy, email, role, expiresAtMs } = invitation
  if (email === null) return false
  const member = createdBy === null ? undefined : await organizations.member(organizationId, createdBy)
  const inviter =
    createdBy === null
      ? null
      : { name: member?.name ?? null, email: member?.emailVerified === true ? member.email : null }
  return notifications!.invite!(email, { organizationName, inviter, role, expiresAtMs, url })
}
