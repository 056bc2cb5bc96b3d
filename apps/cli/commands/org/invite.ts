import { createdInvitationFields, organizationRoles, type CreatedInvitation } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { choice, command, flag, text } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'

export default command({
  details: [
    'Prints the link, this once only; it is valid for one person and seven days. With --email it ' +
      'is also mailed, if the gateway has a mail server.',
  ],
  options: {
    role: choice('role', 'Role (default developer)', organizationRoles),
    email: text('address', 'Only for this verified address'),
    noMail: flag('Do not mail the link'),
  },
  fields: createdInvitationFields,
  examples: [
    { does: 'Invite a developer', line: 'turnpike org invite --org "Analytical Engines"' },
    {
      does: 'Do not mail the link',
      line: 'turnpike org invite --email bo@example.com --no-mail --org Engines',
    },
    {
      does: 'Invite somebody to pay',
      line: 'turnpike org invite --role billing --email bo@example.com --org Engines',
    },
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
