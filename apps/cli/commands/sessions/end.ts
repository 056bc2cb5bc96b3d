import { type List, type Session } from '@turnpike/api'
import { askAsPerson } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { requireYes } from '../../terminal/confirm.ts'

export default command({
  details: [
    'Its tokens are refused at once, on every node. API keys stay valid. Asks for confirmation on ' +
      'a terminal.',
  ],
  arguments: { id: { kind: 'optional', description: 'The id of the session' } },
  options: { others: flag('All except this one'), yes: flag('Do not ask for confirmation') },
  fields: ['id', 'deleted', 'sessions'],
  examples: [
    { does: 'End one, or disconnect an app', line: 'turnpike sessions end sgn_01k9...' },
    { does: 'Sign out all others', line: 'turnpike sessions end --others --yes' },
  ],
  async run(context, { id, others, yes }) {
    if ((id === undefined) !== others) throw badInput('Expected the id of a session, or --others.', 'id')
    const what = id === undefined ? 'all other sessions' : `session ${id}`
    await requireYes(context, yes, `End ${what}?`)
    const { output } = context
    if (id !== undefined) {
      const path = `/api/v1/me/sessions/${encodeURIComponent(id)}`
      const ended = await askAsPerson<{ id: string; deleted: true }>(context, { method: 'DELETE', path })
      output.done(`Ended ${what}`)
      return record({ ...ended, sessions: null }, () => '')
    }
    const path = '/api/v1/me/sessions/end-others'
    const { data } = await askAsPerson<List<Session>>(context, { method: 'POST', path })
    output.done(`Ended ${what}`)
    return record({ id: null, deleted: true, sessions: data.length }, () => '')
  },
})
