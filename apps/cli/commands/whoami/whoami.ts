import { accountFields, type Account } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { accountFacts } from './account-facts.ts'

export default command({
  fields: accountFields,
  examples: [
    { does: 'Show the account', line: 'turnpike whoami' },
    { does: 'Only the email address', line: 'turnpike whoami --fields email' },
  ],
  async run(context) {
    const account = await askAsUser<Account>(context, { path: '/api/v1/me' })
    return record(account, (screen) => accountFacts(account, context.apiUrl, screen))
  },
})
