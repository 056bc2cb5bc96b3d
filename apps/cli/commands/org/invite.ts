import { createdInvitationFields, organizationRoles, type CreatedInvitation } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { choice, command, text } from '../../program/command.ts'

export const inviteMember = command({
  details: ['stdout is the link: it is shown only this once, and good for one person, for seven days.'],
  arguments: {},
  options: {
    role: choice('role', 'What they may do (default developer)', organizationRoles),
    email: text('address', 'Only whoever has this address, verified, may use it'),
  },
  fields: createdInvitationFields,
  examples: [
    { does: 'Invite a developer', line: 'turnpike org invite --org "Analytical Engines"' },
    { does: 'Who pays', line: 'turnpike org invite --role billing --email bo@example.com --org Engines' },
  ],
  async run(context, { role = 'developer', email }) {
    const made = await askAsUser<CreatedInvitation>(context, {
      method: 'POST',
      path: '/api/v1/organization/invitations',
      body: { role, ...(email !== undefined && { email }) },
    })
    return record(made, () => `${made.url}\n`)
  },
})
