import { createdInvitationFields, organizationRoles, type CreatedInvitation } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { choice, command, flag, text } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'

export const inviteMember = command({
  details: [
    'stdout is the link: it is shown only this once, and good for one person, for seven days. With --email ' +
      'it is mailed as well, where the gateway has a mail server.',
  ],
  arguments: {},
  options: {
    role: choice('role', 'What they may do (default developer)', organizationRoles),
    email: text('address', 'Only whoever has this address, verified, may use it'),
    noMail: flag('Do not mail the link: pass it on yourself'),
  },
  fields: createdInvitationFields,
  examples: [
    { does: 'Invite a developer', line: 'turnpike org invite --org "Analytical Engines"' },
    {
      does: 'Pass the link on yourself',
      line: 'turnpike org invite --email bo@example.com --no-mail --org Engines',
    },
    { does: 'Who pays', line: 'turnpike org invite --role billing --email bo@example.com --org Engines' },
  ],
  async run(context, { role = 'developer', email, noMail }) {
    const made = await askAsUser<CreatedInvitation>(context, {
      method: 'POST',
      path: '/api/v1/organization/invitations',
      body: {
        role,
        ...(email !== undefined && { email }),
        ...(noMail && { send_mail: false }),
      },
    })
    const { output } = context
    if (made.mailed) output.done(`Emailed to ${oneLine(made.email ?? '')}`)
    else if (email !== undefined && !noMail) output.warn('The link was not emailed. Send it yourself.')
    return record(made, () => `${made.url}\n`)
  },
})
