import { type List, type Session, sessionFields } from '@turnpike/api'
import { askAsPerson } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { sessionColumns } from './session-columns.ts'

export default command({
  details: [
    'Lists browsers, command lines, devices signed in by code, and apps connected to the MCP server.',
  ],
  fields: sessionFields,
  examples: [
    { does: 'List them', line: 'turnpike sessions list' },
    { does: 'Connected apps and what they may do', line: 'turnpike sessions list --fields name,scopes' },
  ],
  async run(context) {
    const sessions = await askAsPerson<List<Session>>(context, { path: '/api/v1/me/sessions' })
    return rows(sessions, sessionColumns, 'No sessions.')
  },
})
