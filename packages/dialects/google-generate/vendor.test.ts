import { vendorContract } from '../testing/vendor-contract.ts'
import { googleSamples } from './testing/samples.ts'
import { googleGenerate } from './vendor.ts'

const overloaded = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' }

vendorContract({
  format: googleGenerate,
  samples: googleSamples,
  errorEvent: { event: '', data: { error: overloaded } },
  splitsToolCalls: false,
})
