#!/usr/bin/env bash
# pkg_config.sh PREFIX MODULE SOURCE PROGRAM COMPILER...: compiles a program by what pkg-config says of
# a module of seam below PREFIX.
set -euo pipefail

prefix=$1 module=$2 source=$3 program=$4
shift 4
modules=$(dirname "$(find "$prefix" -name "$module.pc")")
words=$(PKG_CONFIG_PATH=$modules pkg-config --cflags --libs "$module")
echo "$module: $words"
mkdir -p "$(dirname "$program")"
# shellcheck disable=SC2086
exec "$@" "$source" -o "$program" $words
