import type { Operation } from '../operation.ts'
import { listOf } from './examples.ts'

const invite = {
  id: 'inv_01jngyd2m4n6p8q1r3s5t7v9wx',
  object: 'invite',
  email: 'grace@example.com',
  created_at: 1741046400,
  expires_at: 1741651200,
  used_at: null,
}

/** At the embedded identity provider; with another one these paths are 404. */
export const identityOperations: Record<string, Operation> = {
  'POST /identity/invites': {
    id: 'createInvite',
    tag: 'Operator',
    summary: 'Invite somebody to register',
    description:
      'Makes an invitation. `code` is in this answer and in no other; it serves once. With `email` it is ' +
      'your word for that address: whoever brings the code has it from then on, as a new user where ' +
      'somebody else had only given it; the user who has it by an earlier invitation gets a new password, ' +
      'and all their logins end. For an operator’s address it takes the internal secret.',
    errors: [403],
    audited: true,
    request: { email: 'grace@example.com', expires_in_days: 7 },
    bodyOptional: true,
    answer: { ...invite, code: 'k7Qm2Xw9Tn4Rb8Vc' },
  },
  'GET /identity/invites': {
    id: 'listInvites',
    tag: 'Operator',
    summary: 'List invitations',
    description: 'All invitations, used and unused, without their codes.',
    answer: listOf(invite),
  },
  'DELETE /identity/invites/:invite_id': {
    id: 'deleteInvite',
    tag: 'Operator',
    summary: 'Take an invitation back',
    description: 'An invitation that was used already is 404.',
    audited: true,
    answer: { id: invite.id, deleted: true },
  },
  'POST /identity/keys/rotate': {
    id: 'rotateSigningKey',
    tag: 'Operator',
    summary: 'Rotate the key that signs user tokens',
    description: 'Makes a new signing key. Tokens that the one before signed stay good until they expire.',
    audited: true,
    answer: { key_id: 'sig-2026-03-10', created_at: 1741046400 },
  },
}
