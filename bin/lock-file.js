/* Reads `package-lock.json` (version 3): https://docs.npmjs.com/cli/configuring-npm/package-lock-json */

/** The folders of the workspaces, such as `apps/server`. */
export function workspacesOf(lock) {
  return Object.keys(lock.packages).filter((path) => path !== '' && !path.includes('node_modules/'))
}

/**
 * The places of all packages that these workspaces import, directly or indirectly. Optional packages are left
 * out, since they may or may not be installed.
 */
export function packagesOf({ packages }, workspaces) {
  const found = new Set(workspaces)
  for (const path of found) {
    const entry = packages[path]
    const ownTools = workspaces.includes(path) ? entry.devDependencies : {}
    const optional = Object.entries(entry.peerDependenciesMeta ?? {}).filter(([, meta]) => meta.optional)
    const without = new Set([
      ...Object.keys(entry.optionalDependencies ?? {}),
      ...optional.map(([name]) => name),
    ])
    for (const name of Object.keys({ ...entry.dependencies, ...entry.peerDependencies, ...ownTools })) {
      const place = without.has(name)
        ? undefined
        : placesOf(path, name).find((one) => packages[one] !== undefined)
      if (place !== undefined) found.add(place)
    }
  }
  return [...found].filter((path) => path.includes('node_modules/'))
}

/** Where Node looks for an import of a package: in its own folder, then in each folder around it. */
function placesOf(path, name) {
  const places = []
  for (let folder = path; folder !== ''; folder = outer(folder)) places.push(`${folder}/node_modules/${name}`)
  return [...places, `node_modules/${name}`]
}

/** `apps/cli` for `apps/cli/node_modules/undici`; '' for a package of the root. */
function outer(folder) {
  const at = folder.lastIndexOf('node_modules/')
  return at <= 0 ? '' : folder.slice(0, at - 1)
}
