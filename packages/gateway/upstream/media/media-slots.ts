import { Slots } from '../../services/slots.ts'

/** Limits how many fetch media at once: the hosts may answer as slowly as the timeouts allow. */
export function mediaSlots(): Slots {
  return new Slots({
    atOnce: 64,
    ofAccount: 16,
    waiting: 1_000,
    waitingOfAccount: 250,
    refusal: 'Too many media files are being downloaded; please retry.',
  })
}
