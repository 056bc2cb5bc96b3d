import { OrganizationRefused, type InvitationEnd, type OrganizationRefusal } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'

type Thing = 'member' | 'invitation' | 'organization'

const retryAfterSeconds = 5
const mailRetrySeconds = 60 * 60

const another = 'Ask for a new one.'
const endings: Record<InvitationEnd, string> = {
  used: `was already used. ${another}`,
  revoked: `was revoked. ${another}`,
  expired: `has expired. ${another}`,
  closed: 'belongs to an organization that was closed.',
  suspended: 'belongs to an organization that is suspended.',
}

/** The error for the holder of the invitation's code. */
export function invitationOver(end: InvitationEnd): GatewayError {
  return invalidRequest('code', `\`code\`: this invitation ${endings[end]}`)
}

const refusals: Record<OrganizationRefusal, (thing: Thing) => GatewayError> = {
  unknown: (thing) =>
    new GatewayError('not_found_error', `${thing[0]!.toUpperCase()}${thing.slice(1)} not found.`),
  'above-rank': () =>
    new GatewayError(
      'permission_error',
      'You cannot grant, change or remove a role above your own. Owners are above admins, admins ' +
        'above the rest.',
    ),
  'last-owner': () =>
    conflict('This is the only owner. Make somebody else an owner first, or close the organization.'),
  over: (thing) =>
    conflict(
      thing === 'member'
        ? 'The member has left the organization.'
        : 'The invitation was already used or revoked.',
    ),
  'too-many': (thing) =>
    conflict(
      thing === 'organization'
        ? 'You have reached the number of organizations that the operator allows per person.'
        : 'The organization has reached its limit of open invitations. Revoke some first.',
    ),
  'too-many-mails': () =>
    new GatewayError(
      'rate_limit_error',
      'Too many invitations were emailed today, or too many to this address. Set `send_mail: false` ' +
        'and send the link yourself.',
      { retryAfterSeconds: mailRetrySeconds },
    ),
  leaving: () =>
    conflict('Your earlier keys are still being handed over. Try again in a moment.', retryAfterSeconds),
  'already-member': () => conflict('You are already a member of this organization.'),
  'invitation-used': () => invitationOver('used'),
  'invitation-revoked': () => invitationOver('revoked'),
  'invitation-expired': () => invitationOver('expired'),
  'invitation-closed': () => invitationOver('closed'),
  'invitation-suspended': () => invitationOver('suspended'),
  // Saying which of the two it is would tell the holder of the link whom it is for.
  'other-address': () =>
    new GatewayError(
      'permission_error',
      'This invitation is for another address, or your address is not verified. Sign in with the address ' +
        'it was sent to and verify it, or open the link in the email.',
    ),
  service: () =>
    invalidRequest(
      'role',
      'A service account has a `name` and no `role`. A person has a `role` and no `name`.',
    ),
}

function conflict(message: string, seconds?: number): GatewayError {
  return new GatewayError('conflict_error', message, {
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  })
}

/** For `catch`: explains a refusal; other errors stay as they are. */
export function refusing(thing: Thing): (error: unknown) => never {
  return (error) => {
    throw error instanceof OrganizationRefused ? refusals[error.refusal](thing) : error
  }
}
