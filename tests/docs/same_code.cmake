# Fails unless a C++ block of `page` is what `source` holds from its first #include on.
file(READ ${page} text)
file(READ ${source} code)
string(FIND "${code}" "#include" begin)
string(SUBSTRING "${code}" ${begin} -1 code)
string(FIND "${text}" "```cpp\n${code}```" found)
if(found EQUAL -1)
  message(FATAL_ERROR "${page} shows other code than ${source}")
endif()
