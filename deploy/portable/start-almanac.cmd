@echo off
rem Starts Almanac from this folder (a stick), with its data beside it. Not tried on Windows yet.
if not exist "%~dp0almanac-data" mkdir "%~dp0almanac-data"
if exist "%~dp0almanac-data" set "ALMANAC_HOME=%~dp0almanac-data"
"%~dp0almanac.exe" %*
if errorlevel 1 pause
