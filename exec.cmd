@rem The scripts of package.json begin with `exec`, so that no shell stands between npm and the launcher and signals
@rem arrive. The shell of Windows has no such word and needs none: it finds this file in its place.
@%*
