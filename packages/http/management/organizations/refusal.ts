import { OrganizationRefused, type InvitationEnd, type OrganizationRefusal } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'

type Thing = 'member' | 'invitation' | 'organization'

const retryAfterSeconds = 5
const mailRetrySeconds = 60 * 60

const another = 'Ask for another one.'
const endings: Record<InvitationEnd, string> = {
  used: `was used already. ${another}`,
  revoked: `was withdrawn. ${another}`,
  expired: `has expired. ${another}`,
  closed: 'is of an organization that was closed.',
  suspended: 'is of an organization that is suspended.',
}

/** To who holds its code. */
export function invitationOver(end: InvitationEnd): GatewayError {
  return invalidRequest('code', `\`code\`: this invitation ${endings[end]}`)
}

const refusals: Record<OrganizationRefusal, (thing: Thing) => GatewayError> = {
  unknown: (thing) => new GatewayError('not_found_error', `There is no such ${thing}.`),
  'above-rank': () =>
    new GatewayError(
      'permission_error',
      'Nobody gives, changes or takes away a role above their own: owners above admins above all others.',
    ),
  'last-owner': () =>
    conflict('This is the only owner: make somebody else an owner first, or close the organization.'),
  over: (thing) =>
    conflict(thing === 'member' ? 'The member is gone.' : 'The invitation was used or revoked before.'),
  'too-many': (thing) =>
    conflict(
      thing === 'organization'
        ? 'You have made as many organizations as the operator allows.'
        : 'There are as many open invitations as an organization may have: revoke some first.',
    ),
  'too-many-mails': () =>
    new GatewayError(
      'rate_limit_error',
      'Too many invitations were mailed today, or too many to this address: send `send_mail: false`, ' +
        'and pass the link on yourself.',
      { retryAfterSeconds: mailRetrySeconds },
    ),
  leaving: () =>
    conflict('Your keys of before are being handed over: try again in a moment.', retryAfterSeconds),
  'already-member': () => conflict('You belong to this organization already.'),
  'invitation-used': () => invitationOver('used'),
  'invitation-revoked': () => invitationOver('revoked'),
  'invitation-expired': () => invitationOver('expired'),
  'invitation-closed': () => invitationOver('closed'),
  'invitation-suspended': () => invitationOver('suspended'),
  // Which of the two it is would tell whoever has the link whom it is for.
  'other-address': () =>
    new GatewayError(
      'permission_error',
      'This invitation is for another address than yours, or yours is not verified yet: sign in with the ' +
        'one that it was sent to, and verify it, or open the link in the mail.',
    ),
  service: () =>
    invalidRequest(
      'role',
      '`role`, `name`: a service account has a name and no other role; a person has a role.',
    ),
}

function conflict(message: string, seconds?: number): GatewayError {
  return new GatewayError('conflict_error', message, {
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  })
}

/** For `catch`: says what was refused; anything else stays as it is. */
export function refusing(thing: Thing): (error: unknown) => never {
  return (error) => {
    throw error instanceof OrganizationRefused ? refusals[error.refusal](thing) : error
  }
}
