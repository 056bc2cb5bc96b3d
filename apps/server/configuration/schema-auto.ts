import { calibrationModes } from '@turnpike/gateway'
import { profileDeltas, type Profile } from '@turnpike/routing'
import { Type } from 'typebox'
import { closed } from './schema-values.ts'

const tierOfModels = (description: string) =>
  Type.Optional(Type.Array(Type.String({ format: 'model' }), { description }))

const delta = (profile: Profile, model: string) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: profileDeltas[profile],
      description: `Of requests to ${model}.`,
    }),
  )

/** `docs/routing.md` tells the whole of it. */
export const auto = closed('What `auto` and `turnpike/auto` choose from.', {
  tiers: Type.Optional(
    closed(
      'By tier: the models that may answer, of which the cheapest able one does. A tier that is not ' +
        'here has the models whose `tiers` name it.',
      {
        SIMPLE: tierOfModels('Models for simple prompts.'),
        MEDIUM: tierOfModels('Models for ordinary prompts.'),
        COMPLEX: tierOfModels('Models for hard prompts.'),
        REASONING: tierOfModels('Models for prompts that need long reasoning.'),
      },
    ),
  ),
  deltas: Type.Optional(
    closed(
      'By profile: how much less likely to succeed than the best a tier may be and still be chosen, from ' +
        '0 to 1.',
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
        'What requests would have been sent to without auto-routing: usage by tier says what was saved ' +
        'against it. An account may name its own. Default: the dearest model of the tier `REASONING`.',
    }),
  ),
  calibration: Type.Optional(
    Type.Enum([...calibrationModes], {
      default: 'off',
      description:
        'Whether what becomes of answers (`metadata.retry_of`, stalls, conversations that go on) ' +
        'corrects the probabilities for an account. `shadow`: what would be chosen is written to ' +
        "the request's row, and not used.",
    }),
  ),
})
