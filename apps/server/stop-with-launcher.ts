/**
 * `npm start` runs the gateway as its child, over a channel that closes when the launcher ends, however that
 * was. A gateway that lived on would keep the port and the data, unseen. So it stops as by a signal.
 */
export function stopWithLauncher({ TURNPIKE_LAUNCHER: launcher }: NodeJS.ProcessEnv): void {
  if (launcher === undefined || process.channel === undefined) return
  process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM'))
  // The channel says nothing else, and must not keep the process.
  process.channel.unref()
}
