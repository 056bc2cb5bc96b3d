import { vendorKeyFields, type VendorKey } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, text } from '../../program/command.ts'
import { wholeNumber } from '../../program/number-option.ts'
import { vendorKeyFacts, vendorKeyPath } from './vendor-key-columns.ts'

const lastPosition = 10_000

export const updateVendorKey = command({
  details: ['What is not named stays as it is. For another secret: turnpike vendor-keys replace.'],
  arguments: { id: { kind: 'one', description: 'The id of the key' } },
  options: {
    name: text('label', 'What you call it'),
    position: text('number', 'Its place: keys are asked by it, the lowest first'),
    fallback: flag('Ask the gateway’s own keys, for credit, where it gives no answer'),
    noFallback: flag('Never ask them in its place'),
    enable: flag('Use it again'),
    disable: flag('Do not use it'),
  },
  fields: vendorKeyFields,
  examples: [
    {
      does: 'Never spend credit in its place',
      line: 'turnpike vendor-keys update vky_01k9... --no-fallback',
    },
    { does: 'Leave it alone for now', line: 'turnpike vendor-keys update vky_01k9... --disable' },
  ],
  async run(context, { id, name, position, fallback, noFallback, enable, disable }) {
    if (enable && disable) throw badInput('--enable and --disable: expected only one of them.', '--disable')
    const place = wholeNumber(position, '--position', { min: 0, max: lastPosition })
    const body = {
      ...(name !== undefined && { name }),
      ...(place !== undefined && { position: place }),
      ...((fallback || noFallback) && { allow_fallback_to_shared: fallback }),
      ...((enable || disable) && { status: enable ? 'active' : 'disabled' }),
    }
    if (Object.keys(body).length === 0) throw badInput('Nothing to change. Pass an option, such as --name.')
    const key = await askAsUser<VendorKey>(context, { method: 'PATCH', path: vendorKeyPath(id), body })
    return record(key, (screen) => vendorKeyFacts(key, screen))
  },
})
