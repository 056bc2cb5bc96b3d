import { calibrationModes } from '@turnpike/gateway'
import { profileDeltas, type Profile } from '@turnpike/routing'
import { Type } from 'typebox'
import { closed } from './values.ts'

const tierOfModels = (description: string) =>
  Type.Optional(Type.Array(Type.String({ format: 'model' }), { description }))

const delta = (profile: Profile, model: string) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: profileDeltas[profile],
      description: `For requests to ${model}.`,
    }),
  )

/** docs/routing.md explains auto-routing. */
export const auto = closed('Auto-routing: what `auto` and `turnpike/auto` choose from.', {
  tiers: Type.Optional(
    closed(
      'Models by tier; the cheapest able one answers. A tier that is missing here uses the models ' +
        'whose `tiers` name it.',
      {
        SIMPLE: tierOfModels('For simple prompts.'),
        MEDIUM: tierOfModels('For ordinary prompts.'),
        COMPLEX: tierOfModels('For hard prompts.'),
        REASONING: tierOfModels('For prompts that need long reasoning.'),
      },
    ),
  ),
  deltas: Type.Optional(
    closed(
      "By profile, from 0 to 1: how much lower than the best a tier's probability of success may " +
        'be for it to be chosen.',
      {
        eco: delta('eco', '`turnpike/auto-eco`'),
        auto: delta('auto', '`turnpike/auto`'),
        premium: delta('premium', '`turnpike/auto-premium`'),
      },
    ),
  ),
  baseline_model: Type.Optional(
    Type.String({
      format: 'model',
      description:
        'The model that requests would use without auto-routing; savings are computed against it. ' +
        'An account can set its own. Default: the most expensive model of the tier `REASONING`.',
    }),
  ),
  calibration: Type.Optional(
    Type.Enum([...calibrationModes], {
      default: 'off',
      description:
        'Whether outcomes (`metadata.retry_of`, stalls, conversations that go on) correct the ' +
        "probabilities per account. `shadow` only records in the request's row what would be " +
        'chosen.',
    }),
  ),
})
