import { vendorKeyFields, type VendorKey } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { secretOf } from './secret-input.ts'
import { vendorKeyFacts, vendorKeyPath } from './vendor-key-columns.ts'

export default command({
  details: [
    'Reads the new secret from stdin, or prompts for it without echo. The old one is deleted at once.',
  ],
  arguments: { id: { kind: 'one', description: 'The id of the key' } },
  fields: vendorKeyFields,
  examples: [{ does: 'From a file', line: 'turnpike vendor-keys replace vky_01k9... < key.txt' }],
  async run(context, { id }) {
    const secret = await secretOf(context)
    const path = vendorKeyPath(id, '/replace')
    const key = await askAsUser<VendorKey>(context, { method: 'POST', path, body: { secret } })
    context.output.done(`${oneLine(key.name)} is now the key …${oneLine(key.last4)}`)
    return record(key, (screen) => vendorKeyFacts(key, screen))
  },
})
