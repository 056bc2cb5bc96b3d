import { autoTopupFields, type AutoTopupState } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { autoTopupPath, autoTopupText } from './show.ts'

export default command({
  details: ['A charge in progress is completed.'],
  fields: autoTopupFields,
  examples: [{ does: 'Turn it off', line: 'turnpike auto-topup off' }],
  async run(context) {
    const state = await askAsUser<AutoTopupState>(context, { method: 'DELETE', path: autoTopupPath })
    return record(state, (screen) => autoTopupText(state, screen))
  },
})
