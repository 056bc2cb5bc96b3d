import type { ProviderStateStore } from '../embedded-provider/stores.ts'

/** Whether what a person has granted is still so: it is gone once it was ended, or used up by a thief. */
export function grantsOf(
  state: Pick<ProviderStateStore, 'find'>,
  clock: () => number,
): (grantId: string) => Promise<boolean> {
  return async (grantId) => {
    const found = await state.find('Grant', grantId)
    const expires = found?.payload['exp']
    return typeof expires === 'number' && expires * 1000 > clock()
  }
}
