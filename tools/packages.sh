# Packages of the system, for the scripts that source this file.
#
# $manager is apt-get, dnf, apk or brew, or empty if there is none; $sudo is empty for root and where it is not
# installed. `install PACKAGE...` installs with $manager.

sudo=
if [ "$(id -u)" != 0 ] && command -v sudo >/dev/null 2>&1; then sudo=sudo; fi

manager=
for name in apt-get dnf apk brew; do
    if command -v "$name" >/dev/null 2>&1; then
        manager=$name
        break
    fi
done

install() {
    case $manager in
    apt-get)
        $sudo apt-get update -q
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@"
        ;;
    dnf) $sudo dnf install -q -y "$@" ;;
    apk) $sudo apk add --quiet "$@" ;;
    brew) brew install "$@" ;;
    esac
}
