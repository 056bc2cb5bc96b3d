import { Slots } from '../../services/slots.ts'

/** Who may read media now: they may come from hosts that answer as slowly as they are let. */
export function mediaSlots(): Slots {
  return new Slots({
    atOnce: 64,
    ofAccount: 16,
    waiting: 1_000,
    waitingOfAccount: 250,
    refusal: 'Too many media files are being downloaded; please retry.',
  })
}
