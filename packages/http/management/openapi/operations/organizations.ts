import { operationsOf } from '../operation.ts'
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

export const organizationOperations = operationsOf('Organizations', {
  'POST /organizations': {
    id: 'createOrganization',
    summary: 'Create an organization',
    description:
      'An account shared by several people, with its own credit, keys, usage and limits. You become its ' +
      'owner. Requests with its `id` in the header `X-Turnpike-Org` act for it.',
    audited: true,
    errors: [409],
    request: { name: 'Analytical Engines' },
    answer: organization,
  },
  'GET /organizations': {
    id: 'listOrganizations',
    summary: 'List your organizations',
    description: 'Your organizations with your role in each. `created_at` is when you joined.',
    answer: listOf(organization),
  },
  'POST /organization-invitations/preview': {
    id: 'previewOrganizationInvitation',
    summary: 'Look up an invitation',
    description: 'The organization and role of an invitation link. This does not use it up.',
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
    summary: 'Join an organization',
    description:
      'With the code in the link, which works for one person. Returning members keep their `member_id`. ' +
      'An invitation that is no longer valid says why (400). Someone who has already joined with it ' +
      'gets 409.',
    audited: true,
    personal: true,
    errors: [409],
    request: { code },
    answer: { ...organization, role: 'developer' },
  },
  'GET /organization': {
    id: 'getOrganization',
    summary: 'The organization',
    description: 'The organization that `X-Turnpike-Org` names, and your role.',
    answer: organization,
  },
  'POST /organization/leave': {
    id: 'leaveOrganization',
    summary: 'Leave the organization',
    description:
      'Your keys there go to the organization or are revoked, depending on `keys`. The only owner cannot ' +
      'leave (409): make somebody else an owner first, or close it.',
    audited: true,
    bodyOptional: true,
    errors: [409],
    request: { keys: 'organization' },
    answer: removed,
  },
  'POST /organization/close': {
    id: 'closeOrganization',
    summary: 'Close the organization',
    description:
      'Permanently: its keys stop working, and its members lose access. The ledger ' +
      'is kept, and so is remaining credit, for the operator to refund.',
    audited: true,
    errors: [409],
    request: { confirm: 'Analytical Engines' },
    answer: { object: 'closed_account', account_id: ids.organization, credit_usd: '0' },
  },
  'GET /organization/members': {
    id: 'listMembers',
    summary: 'List members',
    description: 'Current members, including service accounts. Owners and admins see email addresses.',
    answer: listOf(member),
  },
  'POST /organization/members': {
    id: 'createServiceAccount',
    summary: 'Create a service account',
    description:
      'A member without a login, for automation. Keys are created for it with `member_id`, and stay ' +
      'when people leave.',
    audited: true,
    request: { name: 'nightly reports' },
    answer: service,
  },
  'GET /organization/members/:member_id': {
    id: 'getMember',
    summary: 'One member',
    description: 'Including former members.',
    answer: member,
  },
  'PATCH /organization/members/:member_id': {
    id: 'updateMember',
    summary: 'Change a member',
    description:
      'Changes the role of a person, or the name of a service account. Nobody can grant or remove a role ' +
      'above their own, and the last owner keeps the role (409). Open invitations that the member could ' +
      'no longer create are revoked.',
    audited: true,
    errors: [409],
    request: { role: 'admin' },
    answer: { ...member, role: 'admin', source: 'invitation' },
  },
  'DELETE /organization/members/:member_id': {
    id: 'removeMember',
    summary: 'Remove a member',
    description:
      'With `keys=revoked` their keys are refused at once. With `keys=organization` they keep ' +
      'working as the ' +
      'organization’s keys, for anyone who knows the secret, until the key is rotated. Devices that they ' +
      'signed in, and their playground, end at once in either case.',
    audited: true,
    errors: [409],
    answer: removed,
  },
  'POST /organization/invitations': {
    id: 'createOrganizationInvitation',
    summary: 'Invite someone',
    description:
      'Creates a link that works for one person, for seven days. With `email`, only someone with that ' +
      'address, verified, can use it, and it is emailed there if the gateway has a mail server (50 ' +
      'emails a day, three per address). The email has a separate link, which also verifies the address ' +
      'at the embedded identity provider. It does not open registration: someone without an account who ' +
      'may not create one cannot join.',
    audited: true,
    errors: [429],
    request: { role: 'developer' },
    answer: { ...invitation, url: `https://gateway.example.com/join#${code}`, mailed: false },
  },
  'GET /organization/invitations': {
    id: 'listOrganizationInvitations',
    summary: 'List invitations',
    description: 'Newest first, including used, revoked and expired ones.',
    answer: listOf(invitation),
  },
  'DELETE /organization/invitations/:invitation_id': {
    id: 'revokeOrganizationInvitation',
    summary: 'Revoke an invitation',
    description: 'Its link is good for nothing from now on. Again: the same response.',
    audited: true,
    errors: [409],
    answer: { ...invitation, status: 'revoked' },
  },
  'POST /projects': {
    id: 'createProject',
    summary: 'Create a project',
    description:
      'Groups keys, so that usage can be reported by project. Personal accounts can have projects too.',
    audited: true,
    request: { name: 'search' },
    answer: project,
  },
  'GET /projects': {
    id: 'listProjects',
    summary: 'List projects',
    description: 'Oldest first, including archived ones.',
    answer: listOf(project),
  },
  'GET /projects/:project_id': {
    id: 'getProject',
    summary: 'One project',
    description: 'The record of one project.',
    answer: project,
  },
  'PATCH /projects/:project_id': {
    id: 'updateProject',
    summary: 'Rename a project',
    description: 'Names of active projects are unique within an account (409).',
    audited: true,
    errors: [409],
    request: { name: 'site search' },
    answer: { ...project, name: 'site search' },
  },
  'DELETE /projects/:project_id': {
    id: 'archiveProject',
    summary: 'Archive a project',
    description: 'No more keys can be added to it. Existing keys keep working, and usage is kept.',
    audited: true,
    answer: { ...project, archived_at: 1741132800 },
  },
  'POST /keys/:key_id/hand-over': {
    id: 'handOverKey',
    tag: 'Keys',
    summary: 'Give a key to another member or project',
    description:
      'Creates a new record with the name, limits and credit of the old one. The secret stays the same, so ' +
      'programs keep working. Past charges stay with the previous owner. Anyone who knew the ' +
      'secret still knows it, so rotate the key to prevent that. Omitted fields stay the same.',
    audited: true,
    errors: [409],
    request: { member_id: null, project_id: ids.project },
    answer: { ...exampleKey, id: ids.otherKey, project_id: ids.project, handed_over: true },
  },
})
