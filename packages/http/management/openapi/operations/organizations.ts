import type { Operation } from '../operation.ts'
import { exampleKey, ids, listOf } from './examples.ts'

const organization = {
  id: ids.organization,
  object: 'organization',
  name: 'Analytical Engines',
  status: 'active',
  role: 'owner',
  member_id: ids.member,
  created_at: 1741046400,
}

const member = {
  id: ids.member,
  object: 'member',
  kind: 'person',
  account_id: ids.account,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  email_verified: true,
  role: 'owner',
  status: 'active',
  source: 'founder',
  created_at: 1741046400,
  removed_at: null,
}

const service = {
  ...member,
  kind: 'service',
  account_id: null,
  name: 'nightly reports',
  email: null,
  email_verified: false,
  role: 'developer',
  source: 'admin',
}

const removed = {
  ...member,
  role: 'developer',
  status: 'removed',
  source: 'invitation',
  removed_at: 1741132800,
  keys: 'organization',
  key_count: 2,
}

const invitation = {
  id: 'oin_01jngye2m4n6p8q1r3s5t7v9wx',
  object: 'organization_invitation',
  role: 'developer',
  email: null,
  status: 'open',
  created_by: ids.member,
  created_at: 1741046400,
  expires_at: 1741651200,
  used_by: null,
  used_at: null,
}

const project = {
  id: ids.project,
  object: 'project',
  name: 'search',
  created_at: 1741046400,
  archived_at: null,
}

const code = 'q1nV0mJ7cT3xk9LwR5bYzA2sD8fGhU4eP6oIiKtMvXc'

export const organizationOperations: Record<string, Operation> = {
  'POST /organizations': {
    id: 'createOrganization',
    tag: 'Organizations',
    summary: 'Make an organization',
    description:
      'An account that several people act for: with its own credit, keys, usage and limits. You are its ' +
      'owner. Every request of yours that names its `id` in the header `X-Turnpike-Org` is for it.',
    audited: true,
    errors: [409],
    request: { name: 'Analytical Engines' },
    answer: organization,
  },
  'GET /organizations': {
    id: 'listOrganizations',
    tag: 'Organizations',
    summary: 'List your organizations',
    description: 'Those that you belong to, with your role in each; `created_at` is when you came to it.',
    answer: listOf(organization),
  },
  'POST /organization-invitations/preview': {
    id: 'previewOrganizationInvitation',
    tag: 'Organizations',
    summary: 'What an invitation is for',
    description: 'Which organization a link invites to, in which role; it is not used up by this.',
    request: { code },
    personal: true,
    answer: {
      object: 'organization_invitation_preview',
      organization_name: 'Analytical Engines',
      role: 'developer',
      is_for_address: false,
      expires_at: 1741651200,
    },
  },
  'POST /organization-invitations/accept': {
    id: 'acceptOrganizationInvitation',
    tag: 'Organizations',
    summary: 'Join an organization',
    description:
      'By the code in the link. It is good for one person. Who comes back has the `member_id` of before. ' +
      'One that is over says what has become of it (400); who has joined by it gets 409.',
    audited: true,
    personal: true,
    errors: [404, 409],
    request: { code },
    answer: { ...organization, role: 'developer' },
  },
  'GET /organization': {
    id: 'getOrganization',
    tag: 'Organizations',
    summary: 'The organization',
    description: 'That is acted for, and as what: `X-Turnpike-Org` names it.',
    errors: [404],
    answer: organization,
  },
  'POST /organization/leave': {
    id: 'leaveOrganization',
    tag: 'Organizations',
    summary: 'Leave the organization',
    description:
      'Your keys there go to it, or are revoked, as `keys` says. The only owner cannot leave (409): make ' +
      'somebody else an owner first, or close it.',
    audited: true,
    bodyOptional: true,
    errors: [404, 409],
    request: { keys: 'organization' },
    answer: removed,
  },
  'POST /organization/close': {
    id: 'closeOrganization',
    tag: 'Organizations',
    summary: 'Close the organization',
    description:
      'For good: no key of it serves any more, and for its members it is no longer there. What the books ' +
      'say stays, and so does the credit that is left, for the operator to refund.',
    audited: true,
    errors: [404, 409],
    request: { confirm: 'Analytical Engines' },
    answer: { object: 'closed_account', account_id: ids.organization, credit_usd: '0' },
  },
  'GET /organization/members': {
    id: 'listMembers',
    tag: 'Organizations',
    summary: 'List members',
    description:
      'Who belongs to it, service accounts too; not those who are gone. Owners and admins see addresses.',
    errors: [404],
    answer: listOf(member),
  },
  'POST /organization/members': {
    id: 'createServiceAccount',
    tag: 'Organizations',
    summary: 'Make a service account',
    description:
      'A member without a login, for what runs by itself: keys are made for it by `member_id`, and stay ' +
      'when people go.',
    audited: true,
    errors: [404],
    request: { name: 'nightly reports' },
    answer: service,
  },
  'GET /organization/members/:member_id': {
    id: 'getMember',
    tag: 'Organizations',
    summary: 'One member',
    description: 'Also one who is gone.',
    answer: member,
  },
  'PATCH /organization/members/:member_id': {
    id: 'updateMember',
    tag: 'Organizations',
    summary: 'Change a member',
    description:
      'The role of a person, or the name of a service account. Nobody gives or takes away a role above ' +
      'their own; the last owner stays one (409). Open invitations that the member could not give any more ' +
      'are revoked.',
    audited: true,
    errors: [409],
    request: { role: 'admin' },
    answer: { ...member, role: 'admin', source: 'invitation' },
  },
  'DELETE /organization/members/:member_id': {
    id: 'removeMember',
    tag: 'Organizations',
    summary: 'Remove a member',
    description:
      'With `keys=revoked` their keys are refused at once, with `keys=organization` they work on as the ' +
      'organization’s own: also for whoever knows a secret, until the key is rotated. Devices that they ' +
      'have signed in, and their playground, end at once in either case.',
    audited: true,
    errors: [409],
    answer: removed,
  },
  'POST /organization/invitations': {
    id: 'createOrganizationInvitation',
    tag: 'Organizations',
    summary: 'Invite somebody',
    description:
      'A link that is good for one person, for seven days. With `email` only whoever has that address, ' +
      'verified, may use it, and it is mailed there where the gateway has a mail server; 50 mails a day, ' +
      'three to one address. The mail has a link of its own, which verifies the address of who uses it at ' +
      'the embedded identity provider. It opens no registration: who has no account, and may make none, ' +
      'cannot join.',
    audited: true,
    errors: [404, 429],
    request: { role: 'developer' },
    answer: { ...invitation, url: `https://gateway.example.com/join#${code}`, mailed: false },
  },
  'GET /organization/invitations': {
    id: 'listOrganizationInvitations',
    tag: 'Organizations',
    summary: 'List invitations',
    description: 'The newest first; used, revoked and expired ones too.',
    errors: [404],
    answer: listOf(invitation),
  },
  'DELETE /organization/invitations/:invitation_id': {
    id: 'revokeOrganizationInvitation',
    tag: 'Organizations',
    summary: 'Revoke an invitation',
    description: 'Its link is good for nothing from now on. Again: the same answer.',
    audited: true,
    errors: [409],
    answer: { ...invitation, status: 'revoked' },
  },
  'POST /projects': {
    id: 'createProject',
    tag: 'Organizations',
    summary: 'Make a project',
    description: 'What keys are for: usage is told by project. A person’s account may have some, too.',
    audited: true,
    request: { name: 'search' },
    answer: project,
  },
  'GET /projects': {
    id: 'listProjects',
    tag: 'Organizations',
    summary: 'List projects',
    description: 'The oldest first, archived ones too.',
    answer: listOf(project),
  },
  'GET /projects/:project_id': {
    id: 'getProject',
    tag: 'Organizations',
    summary: 'One project',
    description: 'The record of a project.',
    answer: project,
  },
  'PATCH /projects/:project_id': {
    id: 'updateProject',
    tag: 'Organizations',
    summary: 'Rename a project',
    description: 'No two of an account that are not archived have the same name (409).',
    audited: true,
    errors: [409],
    request: { name: 'site search' },
    answer: { ...project, name: 'site search' },
  },
  'DELETE /projects/:project_id': {
    id: 'archiveProject',
    tag: 'Organizations',
    summary: 'Archive a project',
    description: 'No key is put into it any more. Keys that are in it go on, and its usage stays.',
    audited: true,
    answer: { ...project, archived_at: 1741132800 },
  },
  'POST /keys/:key_id/hand-over': {
    id: 'handOverKey',
    tag: 'Keys',
    summary: 'Give a key to another member or project',
    description:
      'A new record with the name, limits and credit of the old one. The secret stays the same, so that ' +
      'whatever uses it goes on; what was charged until now stays with whose key it was. Whoever knew the ' +
      'secret knows it still: rotate the key to end that. A field that is not named stays as it is.',
    audited: true,
    errors: [409],
    request: { member_id: null, project_id: ids.project },
    answer: { ...exampleKey, id: ids.otherKey, project_id: ids.project, handed_over: true },
  },
}
