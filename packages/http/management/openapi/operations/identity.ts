import { operationsOf } from '../operation.ts'
import { listOf } from './examples.ts'

const invite = {
  id: 'inv_01jngyd2m4n6p8q1r3s5t7v9wx',
  object: 'invite',
  email: 'grace@example.com',
  created_at: 1741046400,
  expires_at: 1741651200,
  used_at: null,
}

/** At the embedded identity provider; with an external one these paths are 404. */
export const identityOperations = operationsOf('Operator', {
  'POST /identity/invites': {
    id: 'createInvite',
    summary: 'Invite somebody to register',
    description:
      'Creates an invitation. `code` is only in this response and works once. With `email` you vouch for ' +
      'that address: whoever uses the code gets it, as a new user if somebody else had only entered it. ' +
      'A user who has it from an earlier invitation gets a new password, and all their logins end. For ' +
      'an operator’s address, the internal secret is required.',
    errors: [403],
    audited: true,
    request: { email: 'grace@example.com', expires_in_days: 7 },
    bodyOptional: true,
    answer: { ...invite, code: 'k7Qm2Xw9Tn4Rb8Vc' },
  },
  'GET /identity/invites': {
    id: 'listInvites',
    summary: 'List invitations',
    description: 'All invitations, used and unused, without their codes.',
    answer: listOf(invite),
  },
  'DELETE /identity/invites/:invite_id': {
    id: 'deleteInvite',
    summary: 'Revoke an invitation',
    description: 'An invitation that was already used is 404.',
    audited: true,
    answer: { id: invite.id, deleted: true },
  },
  'POST /identity/keys/rotate': {
    id: 'rotateSigningKey',
    summary: 'Rotate the key that signs user tokens',
    description:
      'Creates a new signing key. Tokens signed with the previous one stay valid until they expire.',
    audited: true,
    answer: { key_id: 'sig-2026-03-10', created_at: 1741046400 },
  },
})
