import { vendorKeyFields, type VendorKey } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { badInput } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, text } from '../../program/command.ts'
import { wholeNumber } from '../../program/number-option.ts'
import { vendorKeyFacts, vendorKeyPath } from './vendor-key-columns.ts'

const lastPosition = 10_000

export default command({
  details: ['Changes only what you name. To change the secret: `turnpike vendor-keys replace`.'],
  arguments: { id: { kind: 'one', description: 'The id of the key' } },
  options: {
    name: text('label', 'A label'),
    position: text('number', 'Position; lower is used first'),
    fallback: flag('Fall back to the gateway’s keys, which cost credit, if this key fails'),
    noFallback: flag('Never fall back to them'),
    enable: flag('Use it again'),
    disable: flag('Do not use it'),
  },
  fields: vendorKeyFields,
  examples: [
    {
      does: 'Never spend credit instead',
      line: 'turnpike vendor-keys update vky_01k9... --no-fallback',
    },
    { does: 'Disable it for now', line: 'turnpike vendor-keys update vky_01k9... --disable' },
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
