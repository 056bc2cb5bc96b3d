/*
 * Preloaded into a gateway under test: sets its wall clock `CLOCK_SKEW_MS` milliseconds ahead of the
 * machine's. The monotonic clock does not change.
 */
const skewMs = Number(process.env['CLOCK_SKEW_MS'])
const trueNow = Date.now

Date.now = () => trueNow() + skewMs
const TrueDate = Date
globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args: []) =>
    args.length === 0 ? new target(trueNow() + skewMs) : Reflect.construct(target, args),
})
